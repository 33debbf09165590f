/** Whether the service lists its transfers by creation, and which way. A guess: it decides speed only. */

/** Lots of which the order is a mean, and transfers of a lot that are compared: pages may be larger than asked for. */
const memory = 10
const compared = 20

export class ListingOrder {
  #score = 0
  #votes = 0

  /** 1 if later transfers come later, -1 if they come earlier, 0 if there is no order worth using. */
  get direction(): 1 | 0 | -1 {
    return this.#score > 0.5 ? 1 : this.#score < -0.5 ? -1 : 0
  }

  /** Two consecutive lots of a listing vote by the share of pairs of their transfers that ascend; equal times do not. */
  compare(lot: ReadonlyArray<number>, next: ReadonlyArray<number>): void {
    const [before, after] = [thin(lot), thin(next)]
    let ascending = 0
    let different = 0
    for (const a of before) {
      for (const b of after) {
        ascending += Math.sign(b - a)
        if (a !== b) different++
      }
    }
    // Many that were created at once say nothing of the order.
    if (different * 2 < before.length * after.length) return
    this.#votes = Math.min(memory, this.#votes + 1)
    this.#score += (ascending / different - this.#score) / this.#votes
  }
}

const thin = (lot: ReadonlyArray<number>): ReadonlyArray<number> => {
  const step = Math.ceil(lot.length / compared)
  return lot.filter((_, index) => index % step === 0)
}
