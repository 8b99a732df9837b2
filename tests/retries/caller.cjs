// Calls of @grpc/grpc-js for goaway.py, which passes the plan as JSON: prints the number for each status.
const grpc = require("@grpc/grpc-js");

const { address, method, request, seconds, retries, channels, callers } = JSON.parse(process.argv[2]);
const end = Date.now() + seconds * 1000;
const statuses = {};

async function calls(client) {
  do {
    const status = await new Promise((resolve) => {
      const deadline = Date.now() + 20000;
      client.makeUnaryRequest(method, Buffer.from, (bytes) => bytes, request, { deadline }, (error) =>
        resolve(error ? `${grpc.status[error.code]}: ${error.details}` : "OK"));
    });
    statuses[status] = (statuses[status] ?? 0) + 1;
  } while (Date.now() < end);
}

async function main() {
  const options = { "grpc.enable_retries": retries, "grpc.use_local_subchannel_pool": 1 };
  const clients = Array.from({ length: channels },
    () => new grpc.Client(address, grpc.credentials.createInsecure(), options));
  await Promise.all(clients.flatMap((client) => Array.from({ length: callers }, () => calls(client))));
  clients.forEach((client) => client.close());
  console.log(JSON.stringify(statuses));
}

main();
