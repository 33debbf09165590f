/** The beginning of a text that somebody else wrote, for messages, which repeat no more of it. */
export const excerpt = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}…` : text)
