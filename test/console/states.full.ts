// What holds on every page of the console in every state: axe finds nothing, and the page does not scroll sideways.

import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { auditOf, type ConsoleWorld, openConsole } from './console-world.ts'
import { openState, STATES } from './states.ts'

describe('console: every page and state', () => {
  let world: ConsoleWorld
  before(async () => {
    world = await openConsole()
  })
  after(() => world?.close())

  it('gives axe nothing to find, and scrolls nowhere sideways, in light at 1440 px and in dark at 360 px', async () => {
    const found: Record<string, string[]> = {}
    for (const state of STATES) {
      const page = await openState(world, state)
      found[`${state.name}, light`] = await auditOf(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.emulateMedia({ colorScheme: 'dark' })
      found[`${state.name}, dark`] = await auditOf(page)
      await page.context().close()
    }
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).to.deep.equal([])
  }).timeout(180_000)

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
