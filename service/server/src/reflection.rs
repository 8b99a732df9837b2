//! Server reflection, v1 and v1alpha. Each request of a stream has its response, which may be an error, as in
//! other gRPC implementations; tonic-reflection ends the stream at the first unknown name.

use std::collections::HashMap;
use std::sync::Arc;

use dicepoker_proto::FILE_DESCRIPTOR_SET;
use prost::{DecodeError, Message};
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto};

/// Everything that clients need to print requests, responses, health and error details.
const FILES: [&[u8]; 5] = [
    FILE_DESCRIPTOR_SET,
    tonic_health::pb::FILE_DESCRIPTOR_SET,
    tonic_types::pb::FILE_DESCRIPTOR_SET,
    tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
    tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
];

/// A `FileDescriptorSet` whose files stay encoded, so that options unknown to prost are kept.
#[derive(Message)]
struct EncodedFiles {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    file: Vec<bytes::Bytes>,
}

/// Descriptors by the names that requests use.
#[derive(Debug, Default)]
struct Index {
    services: Vec<String>,
    /// Encoded files by their own name and by the full name of each symbol in them.
    files: HashMap<String, bytes::Bytes>,
    symbols: HashMap<String, bytes::Bytes>,
}

impl Index {
    fn new() -> Result<Self, DecodeError> {
        let mut index = Self::default();
        for set in FILES {
            for encoded in EncodedFiles::decode(set)?.file {
                let file = FileDescriptorProto::decode(encoded.clone())?;
                if index.files.insert(file.name().to_owned(), encoded.clone()).is_none() {
                    index.add(&file, &encoded);
                }
            }
        }
        Ok(index)
    }

    fn add(&mut self, file: &FileDescriptorProto, encoded: &bytes::Bytes) {
        let mut names = Vec::new();
        file.message_type.iter().for_each(|it| message_names(file.package(), it, &mut names));
        file.enum_type.iter().for_each(|it| enum_names(file.package(), it, &mut names));
        for service in &file.service {
            let name = under(file.package(), service.name());
            names.extend(service.method.iter().map(|method| under(&name, method.name())));
            self.services.push(name.clone());
            names.push(name);
        }
        self.symbols.extend(names.into_iter().map(|name| (name, encoded.clone())));
    }
}

fn under(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

fn message_names(scope: &str, message: &DescriptorProto, names: &mut Vec<String>) {
    let name = under(scope, message.name());
    names.extend(message.field.iter().map(|field| under(&name, field.name())));
    names.extend(message.oneof_decl.iter().map(|oneof| under(&name, oneof.name())));
    message.nested_type.iter().for_each(|it| message_names(&name, it, names));
    message.enum_type.iter().for_each(|it| enum_names(&name, it, names));
    names.push(name);
}

/// The values of an enum are named beside it, not under it.
fn enum_names(scope: &str, kind: &EnumDescriptorProto, names: &mut Vec<String>) {
    names.extend(kind.value.iter().map(|value| under(scope, value.name())));
    names.push(under(scope, kind.name()));
}

/// The two versions differ in their package only.
macro_rules! version {
    ($version:ident) => {
        pub(crate) mod $version {
            use std::pin::Pin;
            use std::sync::Arc;

            use futures_util::stream::{Stream, StreamExt as _};
            use tonic::{Request, Response, Status, Streaming};
            use tonic_reflection::pb::$version::server_reflection_request::MessageRequest;
            use tonic_reflection::pb::$version::server_reflection_response::MessageResponse;
            use tonic_reflection::pb::$version::{
                ErrorResponse, ExtensionNumberResponse, FileDescriptorResponse,
                ListServiceResponse, ServerReflectionRequest, ServerReflectionResponse,
                ServiceResponse,
            };
            use tonic_reflection::server::$version::ServerReflection;
            pub(crate) use tonic_reflection::server::$version::ServerReflectionServer;

            /// The service.
            #[derive(Clone, Debug)]
            pub(crate) struct Reflection(pub(super) Arc<super::Index>);

            #[tonic::async_trait]
            impl ServerReflection for Reflection {
                type ServerReflectionInfoStream =
                    Pin<Box<dyn Stream<Item = Result<ServerReflectionResponse, Status>> + Send>>;

                async fn server_reflection_info(
                    &self,
                    requests: Request<Streaming<ServerReflectionRequest>>,
                ) -> Result<Response<Self::ServerReflectionInfoStream>, Status> {
                    let index = Arc::clone(&self.0);
                    let responses = requests.into_inner().map(move |request| {
                        let request = request?;
                        Ok(ServerReflectionResponse {
                            valid_host: request.host.clone(),
                            message_response: Some(respond(
                                &index,
                                request.message_request.as_ref(),
                            )),
                            original_request: Some(request),
                        })
                    });
                    Ok(Response::new(Box::pin(responses)))
                }
            }

            fn respond(index: &super::Index, request: Option<&MessageRequest>) -> MessageResponse {
                let file = |found: Option<&bytes::Bytes>, name: &str| match found {
                    Some(file) => MessageResponse::FileDescriptorResponse(FileDescriptorResponse {
                        file_descriptor_proto: vec![file.to_vec()],
                    }),
                    None => error(
                        tonic::Code::NotFound,
                        format!("{name:?} is not part of this service"),
                    ),
                };
                match request {
                    Some(MessageRequest::FileByFilename(name)) => file(index.files.get(name), name),
                    Some(MessageRequest::FileContainingSymbol(name)) => {
                        file(index.symbols.get(name), name)
                    }
                    Some(MessageRequest::FileContainingExtension(wanted)) => file(
                        None,
                        &format!(
                            "extension {} of {}",
                            wanted.extension_number, wanted.containing_type
                        ),
                    ),
                    Some(MessageRequest::AllExtensionNumbersOfType(name)) => {
                        if !index.symbols.contains_key(name) {
                            return file(None, name);
                        }
                        MessageResponse::AllExtensionNumbersResponse(ExtensionNumberResponse {
                            base_type_name: name.clone(),
                            extension_number: Vec::new(),
                        })
                    }
                    Some(MessageRequest::ListServices(_)) => {
                        let service = index
                            .services
                            .iter()
                            .map(|name| ServiceResponse { name: name.clone() });
                        MessageResponse::ListServicesResponse(ListServiceResponse {
                            service: service.collect(),
                        })
                    }
                    None => error(
                        tonic::Code::InvalidArgument,
                        "message_request is required".to_owned(),
                    ),
                }
            }

            fn error(code: tonic::Code, error_message: String) -> MessageResponse {
                MessageResponse::ErrorResponse(ErrorResponse {
                    error_code: code as i32,
                    error_message,
                })
            }
        }
    };
}

version!(v1);
version!(v1alpha);

type Services = (
    v1::ServerReflectionServer<v1::Reflection>,
    v1alpha::ServerReflectionServer<v1alpha::Reflection>,
);

/// Both versions of the service.
///
/// # Errors
/// If a descriptor that the program was built with is unsound.
pub(crate) fn services() -> Result<Services, DecodeError> {
    let index = Arc::new(Index::new()?);
    let v1 = v1::ServerReflectionServer::new(v1::Reflection(Arc::clone(&index)));
    let v1alpha = v1alpha::ServerReflectionServer::new(v1alpha::Reflection(index));
    Ok((v1, v1alpha))
}
