import { en } from "./en";
export const lt = en;
