/** Command lines as texts: those that a shell example shows, and one for people to copy. Just enough of a shell. */

/** A command line of words, to copy into a shell: those with other than plain characters are quoted. */
export const lineOf = (words: ReadonlyArray<string>): string =>
  words
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`,
    )
    .join(" ")

/** The commands of a fenced block: every line of `sh`, the lines after a prompt in `console`. */
export const commandsOf = (info: string, text: string): ReadonlyArray<string> => {
  const language = info.split(/\s/, 1)[0] ?? ""
  if (!["sh", "bash", "shell", "console"].includes(language)) return []
  const lines = text.replaceAll(/\\\n\s*/g, "").split("\n")
  return lines
    .filter((line) => (language === "console" ? line.startsWith("$ ") : line.trim() !== "" && !line.startsWith("#")))
    .map((line) => line.replace(/^\$ /, ""))
}

/** The simple commands of a command line, each as its words: without quotes and leading assignments. */
export const wordsOf = (commandLine: string): ReadonlyArray<ReadonlyArray<string>> => {
  const tokens = commandLine.match(/(?:[^\s"'|&;<>]|"[^"]*"|'[^']*')+|[|&;<>]+|#.*$/g) ?? []
  const commands: Array<Array<string>> = [[]]
  for (const token of tokens) {
    if (token.startsWith("#")) break
    if (/^[|&;]+$/.test(token)) commands.push([])
    else if (!/^[<>]+$/.test(token)) commands.at(-1)?.push(token.replaceAll(/["']/g, ""))
  }
  return commands
    .map((words) =>
      words.slice(
        Math.max(
          0,
          words.findIndex((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word)),
        ),
      ),
    )
    .filter((words) => words.length > 0)
}
