/** Components that are drawn again only if a property is another one. */
import { Component, type ComponentChild } from "preact"

/** A component that draws `view` again only if a property is another one. */
export const once = <Properties extends object>(view: (properties: Properties) => ComponentChild) =>
  class extends Component<Properties> {
    override shouldComponentUpdate(next: Readonly<Properties>): boolean {
      return Object.entries(next).some(([name, value]) => value !== Reflect.get(this.props, name))
    }
    override render(properties: Readonly<Properties>): ComponentChild {
      return view(properties)
    }
  }
