/** A certificate for one start of a fake, signed by an authority that exists no longer once it has signed. */
import * as net from "node:net"

export interface Certificate {
  readonly key: string
  readonly cert: string
  /** The certificate of the authority, which clients must trust. */
  readonly ca: string
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }

/** Clocks differ. */
const day = 86_400_000
const lifetime = { before: day, after: 365 * day }

/** Makes a certificate for names and addresses, valid `now`, in milliseconds. Its library is loaded only now. */
export const make = async (hosts: ReadonlyArray<string>, now: number): Promise<Certificate> => {
  // The library's own dependency wants it to be there first.
  await import("reflect-metadata")
  const x509 = await import("@peculiar/x509")
  const newKeys = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
  const [authority, server] = await Promise.all([newKeys(), newKeys()])
  const common = {
    notBefore: new Date(now - lifetime.before),
    notAfter: new Date(now + lifetime.after),
    signingAlgorithm: algorithm,
  }
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    name: "CN=transfers-fake CA",
    keys: authority,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  })
  const cert = await x509.X509CertificateGenerator.create({
    ...common,
    issuer: ca.subject,
    subject: "CN=transfers-fake",
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: net.isIP(value) === 0 ? ("dns" as const) : ("ip" as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  })
  const key = await crypto.subtle.exportKey("pkcs8", server.privateKey)
  return { key: x509.PemConverter.encode(key, "PRIVATE KEY"), cert: cert.toString("pem"), ca: ca.toString("pem") }
}
