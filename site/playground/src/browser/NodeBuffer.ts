/** Node's `Buffer` where there is none: bundled in its place. */
export { Buffer } from "buffer"
