/**
 * How many transfers a listing probably has left, and where to cut that in two: reckoned from how dense transfers are
 * at the two ends. A wrong guess costs requests, never transfers.
 */

/** What is left of a listing, in seconds: from the frontier to its far end, in the direction of its order. */
export interface Rest {
  readonly near: number
  readonly far: number
  /** Transfers to a second where it stands. */
  readonly nearDensity: number
  /** Transfers to a second beyond its far end, `undefined` where nobody has been there. */
  readonly farDensity: number | undefined
  /** The far end is a guess. */
  readonly isOpen: boolean
}

export interface Share {
  /** How much there is to gain by a cut: about the transfers left. */
  readonly weight: number
  /** The instant that leaves about half of them on either side. */
  readonly cut: number
}

/** Densities that differ by more than this are not on one slope: somewhere between, a burst begins or ends. */
const edge = 12

const pageSize = 20

// Found by simulation, see test/scan.speed.test.ts. A burst of unknown extent is worth several looks at once, and
// reaches further than the middle between its least and its greatest extent by order of magnitude.
const worthOfLooking = 10
const reach = 0.65

export const share = (rest: Rest): Share => {
  const length = lengthOf(rest)
  const [near, far] = densities(rest)
  const dense = Math.max(near, far)
  if (dense <= Math.min(near, far) * edge) {
    return { weight: (length * (near + far)) / 2, cut: at(rest, halfOfSlope(near, far)) }
  }
  const least = Math.min(Math.max(pageSize / dense, 1), length)
  const extent = least * (length / least) ** reach
  const fraction = extent / length
  return { weight: dense * extent * worthOfLooking, cut: at(rest, near > far ? fraction : 1 - fraction) }
}

/** The density to expect of what begins at a cut. */
export const densityAtCut = (rest: Rest): number => {
  const [near, far] = densities(rest)
  return Math.sqrt(near * far)
}

const lengthOf = ({ near, far }: Rest): number => Math.abs(far - near)

/** None is nought: even where nothing has been seen, something may be. */
const densities = (rest: Rest): readonly [near: number, far: number] => {
  const least = 0.1 / lengthOf(rest)
  const far = rest.farDensity ?? (rest.isOpen ? 0 : rest.nearDensity)
  return [Math.max(rest.nearDensity, least), Math.max(far, least)]
}

const at = ({ near, far }: Rest, fraction: number): number => near + (far - near) * fraction

/** How far along a slope of densities half of the transfers are. */
const halfOfSlope = (near: number, far: number): number => {
  const rise = far - near
  return Math.abs(rise) < near * 1e-6 ? 0.5 : (Math.sqrt((near * near + far * far) / 2) - near) / rise
}
