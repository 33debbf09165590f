/** Icons, drawn with strokes in the colour of the text. */
const paths = {
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M6 6V3.5h6.5V10H10M3.5 6H10v6.5H3.5z",
  previous: "M10 3.5 5.5 8l4.5 4.5",
  next: "M6 3.5 10.5 8 6 12.5",
  play: "M5 3.2v9.6L12.5 8z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  plus: "M8 3.5v9M3.5 8h9",
  warning: "M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1",
  external: "M9.5 3H13v3.5M13 3 7.5 8.5M11 9.5V13H3V5h3.5",
} as const

export const Icon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
