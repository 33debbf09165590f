/** What a file may unpack to: far more than transfers do, far less than a bomb. */
export class UnpackBudget {
  #left: number

  constructor(fileBytes: number) {
    this.#left = 64 * 1024 * 1024 + 200 * fileBytes
  }

  /** Call it before the bytes are there. Throws if they are too many. */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new Error("it would unpack to far more than transfers do")
  }
}
