import { defineConfig } from "vite";

// The service for `npm run dev`; the built page calls the server that it came from.
const service = process.env.DICEPOKER_SERVER ?? "http://127.0.0.1:50051";

const proxy = { "^/dicepoker\\.v1\\.": service };

export default defineConfig({
  // Relative addresses, so that a proxy may serve the page under any path.
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    license: false,
  },
  server: { proxy },
  preview: { proxy },
});
