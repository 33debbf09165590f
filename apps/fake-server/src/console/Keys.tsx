/** The keys of the console. */
import { Drawer } from "./Drawer.tsx"

const keys = [
  ["/", "Go to the search of the view"],
  ["↓ ↑", "Go to the next or the previous row"],
  ["Enter", "Open the row"],
  ["J K", "In an open row: show the next or the previous one"],
  ["Escape", "Close what is open"],
  ["U", "Undo what was removed last, as long as it is named at the bottom"],
  ["?", "List these keys"],
] as const

export const Keys = ({ onClose }: { readonly onClose: () => void }) => (
  <Drawer title="Keys" onClose={onClose}>
    <dl class="fields">
      {keys.map(([key, action]) => (
        <div>
          <dt>
            {key.split(" ").map((each) => (
              <kbd>{each}</kbd>
            ))}
          </dt>
          <dd>{action}</dd>
        </div>
      ))}
    </dl>
  </Drawer>
)
