// Reads metrics of a node during a test.

import type { World } from '../front-door/world.ts'

/** The sum of a metric over its labels; 0 if it has no value. */
export async function metricOf(world: World, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${world.adminPort}/metrics`)).text()
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(name) && line.includes(labels) && /[ {]/.test(line[name.length] ?? ''))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
