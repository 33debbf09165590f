/** Somebody who stops when there is no next page, before looking at the last one. */
import { bench as right, contestant } from "../../src/benches/clients.ts"

export const bench = {
  ...right,
  name: import.meta.filename,
  contestants: [
    ...right.contestants.slice(0, 1),
    contestant("wrong", [], async () => async (baseUrl, see) => {
      let url = `${baseUrl}/v1/transfers/search?limit=20`
      for (;;) {
        const { results, page_info } = await (await fetch(url)).json()
        if (!page_info.has_next_page) return
        for (const { id } of results) see(id)
        url = `${baseUrl}/v1/transfers/search?limit=20&after_cursor=${page_info.end_cursor}`
      }
    }),
  ],
}
