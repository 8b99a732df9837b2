import { render } from "preact";

import { App } from "./app";
import "./style/base.css";
import "./style/parts.css";
import "./style/rooms.css";

render(<App />, document.getElementById("page")!);
