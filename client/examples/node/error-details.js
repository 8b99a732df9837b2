// Rich errors: the parts of google.rpc.Status that the service puts into its answers, read from
// the trailer in which gRPC carries them.

import protobuf from 'protobufjs';

const { root } = protobuf.parse(`
  syntax = "proto3";
  package google.rpc;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; }
  message BadRequest {
    message FieldViolation { string field = 1; string description = 2; }
    repeated FieldViolation field_violations = 1;
  }
`);

/** The reason and the field violations of an error of a call. */
export function errorDetails(error) {
  const found = { reason: '', fieldViolations: [] };
  for (const trailer of error.metadata.get('grpc-status-details-bin')) {
    for (const { typeUrl, value } of root.lookupType('google.rpc.Status').decode(trailer).details) {
      const name = typeUrl.split('/').pop();
      if (name === 'google.rpc.ErrorInfo') found.reason = root.lookupType(name).decode(value).reason;
      if (name === 'google.rpc.BadRequest') found.fieldViolations = root.lookupType(name).decode(value).fieldViolations;
    }
  }
  return found;
}
