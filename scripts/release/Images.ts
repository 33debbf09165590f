/** The container images that the recipes of the repository start from. A tag can move; a digest cannot. */

const named = /^(?:FROM |\s+image: )([\w./-]+:[\w.-]+)(?=\s|$)/gm

/** The images that some recipes name by a tag, each once. */
export const list = (recipes: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(recipes.flatMap((text) => [...text.matchAll(named)].map(([, image = ""]) => image)))].sort()

/** Reads lines such as `postgres:17@sha256:…`. */
export const read = (lines: string): ReadonlyMap<string, string> =>
  new Map(
    lines
      .trimEnd()
      .split("\n")
      .map((line) => {
        const [, image = "", digest = ""] = /^([^@]+)@(sha256:[0-9a-f]{64})$/.exec(line) ?? []
        if (digest === "") throw new Error(`Expected IMAGE:TAG@sha256:…, found ${JSON.stringify(line)}.`)
        return [image, digest]
      }),
  )

/** A recipe whose images are named by tag and digest. Throws an error if the digest of one is not known. */
export const pin = (recipe: string, digests: ReadonlyMap<string, string>): string =>
  recipe.replace(named, (line, image: string) => {
    const digest = digests.get(image)
    if (digest === undefined) throw new Error(`There is no digest of the image ${image}.`)
    return `${line}@${digest}`
  })
