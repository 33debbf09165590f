/** Ed25519 signatures of certificates: who published one can show that it is theirs, and that it was not changed. */
import * as Crypto from "node:crypto"
import * as CanonicalJson from "@transferkit/domain/CanonicalJson"
import * as Result from "effect/Result"
import { type Certificate, fromJson } from "./Certificate.ts"

/** What is signed: the certificate without its signature, with sorted names and without blanks. */
export const canonical = ({ signature: _, ...rest }: Certificate): string => CanonicalJson.stringify(rest)

/** What signs with an Ed25519 private key in PEM. Fails with a clause, which does not contain the key. */
export const signer = (pem: string): Result.Result<(certificate: Certificate) => Certificate, string> =>
  Result.flatMap(
    Result.try({ try: () => Crypto.createPrivateKey(pem), catch: () => `it is not a private key in PEM. ${advice}` }),
    (key) => {
      if (key.asymmetricKeyType !== "ed25519") return Result.fail(`its key is not Ed25519. ${advice}`)
      const public_key = Crypto.createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64")
      return Result.succeed((certificate) => {
        const value = Crypto.sign(null, Buffer.from(canonical(certificate)), key).toString("base64")
        return { ...certificate, signature: { algorithm: "Ed25519", public_key, value } }
      })
    },
  )

const advice = "Make one with openssl genpkey -algorithm ed25519"

/**
 * Reads a certificate, and fails with a clause if it cannot be read, or was changed after it was signed. Whose signature it is,
 * only {@link isValid} with their key can tell.
 */
export const read = (text: string): Result.Result<Certificate, string> =>
  Result.flatMap(fromJson(text), (certificate) =>
    certificate.signature === undefined || isValid(certificate)
      ? Result.succeed(certificate)
      : Result.fail("it was changed after it was signed"),
  )

/** Whether a certificate is unchanged since it was signed with the key that it names, or with this public key in PEM. */
export const isValid = (certificate: Certificate, publicKey?: string): boolean => {
  const { signature } = certificate
  if (signature === undefined) return false
  try {
    const named = Crypto.createPublicKey({
      key: Buffer.from(signature.public_key, "base64"),
      type: "spki",
      format: "der",
    })
    const key = publicKey === undefined ? named : Crypto.createPublicKey(publicKey)
    return Crypto.verify(null, Buffer.from(canonical(certificate)), key, Buffer.from(signature.value, "base64"))
  } catch {
    return false
  }
}
