// A request of Suggest as code: each language reads the same JSON.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

const HOST = location.port ? `${location.hostname}:${location.port}` : `${location.hostname}:50051`;

/** Compact JSON: a value that fits is on one line. */
function compact(value: JsonValue, indent = ""): string {
  const flat = JSON.stringify(value, null, 1).replace(/\s*\n\s*/g, " ").replace(/([[{]) /g, "$1").replace(/ ([\]}])/g, "$1");
  if (flat.length + indent.length <= 78 || typeof value !== "object" || value === null) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((one) => inner + compact(one, inner)).join(",\n")}\n${indent}]`;
  const fields = Object.entries(value).map(([key, one]) => `${inner}${JSON.stringify(key)}: ${compact(one, inner)}`);
  return `{\n${fields.join(",\n")}\n${indent}}`;
}

const python = (json: JsonObject) => `import grpc
from google.protobuf import json_format

from dicepoker.v1 import dice_poker_service_pb2 as api
from dicepoker.v1 import dice_poker_service_pb2_grpc as stubs

request = json_format.Parse("""
${compact(json)}
""", api.SuggestRequest())
service = stubs.DicePokerServiceStub(grpc.insecure_channel("${HOST}"))
answer = service.Suggest(request, timeout=10)
print(answer.move, answer.expected_value)
`;

const go = (json: JsonObject) => `var request dicepoker.SuggestRequest
if err := protojson.Unmarshal([]byte(\`
${compact(json)}
\`), &request); err != nil {
	log.Fatal(err)
}
connection, err := grpc.NewClient("${HOST}", grpc.WithTransportCredentials(insecure.NewCredentials()))
if err != nil {
	log.Fatal(err)
}
defer connection.Close()
answer, err := dicepoker.NewDicePokerServiceClient(connection).Suggest(context.Background(), &request)
if err != nil {
	log.Fatal(err)
}
fmt.Println(answer.Move, answer.ExpectedValue)
`;

const java = (json: JsonObject) => `SuggestRequest.Builder request = SuggestRequest.newBuilder();
JsonFormat.parser().merge("""
${compact(json)}
""", request);
ManagedChannel channel =
    Grpc.newChannelBuilder("${HOST}", InsecureChannelCredentials.create()).build();
SuggestResponse answer = DicePokerServiceGrpc.newBlockingStub(channel).suggest(request.build());
System.out.println(answer.getMove() + " " + answer.getExpectedValue());
`;

const typescript = (json: JsonObject) => `import { fromJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { DicePokerService, SuggestRequestSchema } from "./gen/dicepoker/v1/dice_poker_service_pb.js";

const request = fromJson(SuggestRequestSchema, ${compact(json)});
const service = createClient(DicePokerService, createGrpcTransport({ baseUrl: "http://${HOST}" }));
const answer = await service.suggest(request);
console.log(answer.move?.kind, answer.expectedValue);
`;

const rust = (json: JsonObject) => `use dicepoker_client::Json;
use dicepoker_client::proto::{SuggestRequest, dice_poker_service_client::DicePokerServiceClient};

let Json(request): Json<SuggestRequest> = serde_json::from_str(r#"
${compact(json)}
"#)?;
let mut service = DicePokerServiceClient::connect("http://${HOST}").await?;
let answer = service.suggest(request).await?.into_inner();
println!("{:?} {}", answer.r#move, answer.expected_value);
`;

export const samples = {
  grpcurl: (json: JsonObject) => `grpcurl -plaintext -d '${compact(json).replaceAll("'", "'\\''")}' \\
  ${HOST} dicepoker.v1.DicePokerService/Suggest
`,
  Python: python,
  Go: go,
  Java: java,
  TypeScript: typescript,
  Rust: rust,
};
