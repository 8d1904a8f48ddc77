import type { ComponentChildren } from 'preact'
import { useLoad } from '../use-load.ts'
import { Shown } from './states.tsx'

interface LaterProps<Module> {
  /** Names the module. */
  readonly name: string
  readonly load: () => Promise<Module>
  readonly children: (module: Module) => ComponentChildren
}

/** Renders with a module that is loaded when it is first needed. */
export function Later<Module>({ name, load, children }: LaterProps<Module>) {
  const module = useLoad(name, async () => ({ is: await load() }))
  return <Shown of={module}>{({ is }) => children(is)}</Shown>
}
