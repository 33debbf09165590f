/** A resolver of names that does not respond for half a minute, as that of a system is if its servers do not. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

const source = `
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  fclose(fopen(getenv("NAMES_ASKED"), "w"));
  sleep(30);
  return EAI_AGAIN;
}
`

/** Whether a library can replace a function of the system here. */
export const isPossible = process.platform === "linux"

/** The environment of a program that has this resolver, and whether the program has looked up a name. */
export interface SilentNames {
  readonly env: Readonly<Record<string, string>>
  readonly areAsked: () => boolean
}

/** Makes the resolver; each call of its result is for one program. A test file calls it outside of its tests. */
export const compile = (): (() => SilentNames) => {
  const folder = mkdtempSync(join(tmpdir(), "silent-names-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const library = join(folder, "names.so")
  if (isPossible) execFileSync("cc", ["-shared", "-fPIC", "-x", "c", "-o", library, "-"], { input: source })
  let programs = 0
  return () => {
    const asked = join(folder, String(++programs))
    return { env: { LD_PRELOAD: library, NAMES_ASKED: asked }, areAsked: () => existsSync(asked) }
  }
}
