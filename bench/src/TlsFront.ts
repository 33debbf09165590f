/** TLS in front of a server that speaks plain HTTP, as every real service has it, by a certificate made for the occasion. */
import { once } from "node:events"
import { connect } from "node:net"
import { createServer } from "node:tls"
import { generate } from "selfsigned"

/** A front that listens. Who trusts `certificate`, in PEM, can call it. */
export interface TlsFront extends AsyncDisposable {
  readonly url: string
  readonly certificate: string
}

/** Starts a front on a free port, for the server at a URL of this machine. */
export const start = async (server: string): Promise<TlsFront> => {
  const altNames = [{ type: 7, ip: "127.0.0.1" }] as const
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    keyType: "ec",
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [...altNames] },
    ],
  })
  const front = createServer({ key, cert }, (socket) => {
    const upstream = connect(Number(new URL(server).port), "127.0.0.1")
    socket.on("error", () => upstream.destroy()).pipe(upstream)
    upstream.on("error", () => socket.destroy()).pipe(socket)
  })
  await once(front.listen(0, "127.0.0.1"), "listening")
  const address = front.address()
  if (address === null || typeof address === "string") throw new Error("the front has no port")
  return {
    url: `https://127.0.0.1:${address.port}`,
    certificate: cert,
    [Symbol.asyncDispose]: async () => {
      front.close()
    },
  }
}
