//! The explorer's files, built from this folder by `npm run build` and kept in `dist`, as HTTP
//! responses. Any server of gRPC-Web can serve it.
//!
//! ```
//! let request = http::Request::get("/").body(()).unwrap();
//! let response = dicepoker_explorer::response(&request).expect("the page");
//! assert_eq!(response.status(), 200);
//! ```

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{self, HeaderName};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use include_dir::{Dir, include_dir};

static DIST: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/dist");

static FILES: LazyLock<HashMap<String, File>> = LazyLock::new(|| {
    let mut files = HashMap::new();
    let mut folders = vec![&DIST];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        for file in folder.files() {
            let name = file.path().to_string_lossy().replace('\\', "/");
            files.insert(format!("/{name}"), File::new(&name, file.contents()));
        }
    }
    files
});

/// Only the page's own files, and calls to their origin.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// A file of the page.
struct File {
    kind: &'static str,
    cache: &'static str,
    plain: Bytes,
    gzip: Bytes,
}

impl File {
    fn new(name: &str, contents: &'static [u8]) -> Self {
        let kind = match name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        // The names of assets contain their hash; the page that names them must be revalidated.
        let cache = if name.starts_with("assets/") {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let gzip = encoder.write_all(contents).and_then(|()| encoder.finish());
        let plain = Bytes::from_static(contents);
        Self { kind, cache, gzip: gzip.map_or_else(|_| plain.clone(), Bytes::from), plain }
    }
}

/// The response to a request for the page or a file of it; `None` for a request that is not GET or
/// HEAD, which gRPC and gRPC-Web calls are not.
#[must_use]
pub fn response<B>(request: &Request<B>) -> Option<Response<Full<Bytes>>> {
    plain(request).map(|response| response.map(Full::new))
}

fn plain<B>(request: &Request<B>) -> Option<Response<Bytes>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let path = match request.uri().path() {
        "/" => "/index.html",
        path => path,
    };
    let Some(file) = FILES.get(path) else {
        let response =
            Response::new(Bytes::from_static(b"there is no such file; the page is at /\n"));
        return Some(headed(
            response,
            StatusCode::NOT_FOUND,
            "text/plain; charset=utf-8",
            "no-cache",
        ));
    };
    let zipped = accepts_gzip(request);
    let body = if zipped { &file.gzip } else { &file.plain };
    let length = body.len();
    let body = if request.method() == Method::HEAD { Bytes::new() } else { body.clone() };
    let mut response = headed(Response::new(body), StatusCode::OK, file.kind, file.cache);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LENGTH, length.into());
    if zipped {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Some(response)
}

fn accepts_gzip<B>(request: &Request<B>) -> bool {
    let accepted = request.headers().get_all(header::ACCEPT_ENCODING).into_iter();
    accepted.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(
        |coding| {
            let mut parts = coding.split(';').map(str::trim);
            parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"))
                && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        },
    )
}

fn headed(
    mut response: Response<Bytes>,
    status: StatusCode,
    kind: &'static str,
    cache: &'static str,
) -> Response<Bytes> {
    *response.status_mut() = status;
    let set: [(HeaderName, &'static str); 7] = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, cache),
        (header::VARY, "accept-encoding"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in set {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn get(path: &str) -> Response<Bytes> {
        plain(&Request::get(path).body(()).unwrap()).unwrap()
    }

    fn assets() -> Vec<String> {
        let page = String::from_utf8(get("/").into_body().to_vec()).unwrap();
        let names = page.split('"').filter_map(|part| part.strip_prefix("./assets/"));
        names.map(|name| format!("/assets/{name}")).collect()
    }

    #[test]
    fn the_page_names_existing_files() {
        let assets = assets();
        assert!(assets.len() >= 3, "script, style and icon: {assets:?}");
        for asset in assets {
            let response = get(&asset);
            assert_eq!(response.status(), StatusCode::OK, "{asset}");
            assert_eq!(
                response.headers()[header::CACHE_CONTROL],
                "public, max-age=31536000, immutable"
            );
        }
        assert_eq!(get("/").headers()[header::CACHE_CONTROL], "no-cache");
    }

    #[test]
    fn every_response_forbids_other_hosts_inline_code_and_guessed_types() {
        for path in ["/", "/no-such-file", "/../Cargo.toml"] {
            let headers = get(path).headers().clone();
            assert!(
                headers[header::CONTENT_SECURITY_POLICY]
                    .to_str()
                    .unwrap()
                    .starts_with("default-src 'none'")
            );
            assert!(!headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap().contains("unsafe"));
            assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        }
        assert_eq!(get("/no-such-file").status(), StatusCode::NOT_FOUND);
        let page = String::from_utf8(get("/").into_body().to_vec()).unwrap();
        assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains("onload"));
        assert!(!page.contains("<script>") && !page.contains("http:") && !page.contains("https:"));
    }

    #[test]
    fn a_compressed_response_holds_the_plain_one() {
        for path in assets() {
            let request =
                |coding| Request::get(&path).header("accept-encoding", coding).body(()).unwrap();
            let zipped = plain(&request("br, gzip;q=0.8")).unwrap();
            assert_eq!(zipped.headers()[header::CONTENT_ENCODING], "gzip");
            let mut unzipped = Vec::new();
            flate2::read::GzDecoder::new(&zipped.body()[..]).read_to_end(&mut unzipped).unwrap();
            assert_eq!(unzipped, get(&path).into_body());
            let refused = plain(&request("gzip;q=0")).unwrap();
            assert!(!refused.headers().contains_key(header::CONTENT_ENCODING));
        }
    }

    #[test]
    fn all_files_together_are_under_200_kb_compressed() {
        let size: usize = FILES.values().map(|file| file.gzip.len()).sum();
        assert!(size < 200_000, "{size} bytes");
    }

    #[test]
    fn calls_are_not_answered() {
        let call = Request::post("/dicepoker.v1.DicePokerService/Score").body(()).unwrap();
        assert!(plain(&call).is_none());
    }

    #[test]
    fn a_head_request_has_the_length_and_no_body() {
        let head = plain(&Request::head("/").body(()).unwrap()).unwrap();
        assert!(head.body().is_empty());
        assert_eq!(head.headers()[header::CONTENT_LENGTH], get("/").body().len().to_string());
    }
}
