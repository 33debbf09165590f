/** The program with all its parts. The bundle of `Main.ts` leaves out those that few runs need; `bin.ts` chooses. */
export { main } from "./Main.ts"
