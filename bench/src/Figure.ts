/** Figures for people: as many digits as mean something, and no exponent. */

/** Three significant digits. */
export const plain = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)))

/** A factor, if there is one of nothing: two significant digits below ten and two after the point near one, where they tell two things apart. */
export const ratio = (value: number): string =>
  !Number.isFinite(value)
    ? "–"
    : `${value >= 10 ? plain(value) : value >= 0.95 && value < 2 ? value.toFixed(2) : Number(value.toPrecision(2))}×`
