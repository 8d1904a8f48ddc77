// What holds on every page of the console in every state: axe finds nothing, and the page does not scroll sideways.

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { auditOf, type ConsoleWorld, openConsole } from './console-world.ts'
import { failures } from './failing-states.ts'
import { openState, type Signed, STATES, type State } from './states.ts'

describe('console: every page and state', () => {
  const pages = new Map<Signed, Page>()
  let world: ConsoleWorld
  before(async () => {
    world = await openConsole()
  })
  after(() => world?.close())

  /** One page for all states of a key that a server shows by itself. */
  async function shown(state: State): Promise<Page> {
    const isOwn = state.signed === 'nobody' || failures.includes(state)
    const page = isOwn ? undefined : pages.get(state.signed)
    if (page === undefined) {
      const opened = await openState(world, state)
      if (!isOwn) pages.set(state.signed, opened)
      return opened
    }
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${world.url}/console/`)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await state.show(page, world)
    return page
  }

  it('gives axe nothing to find, and scrolls nowhere sideways, in light at 1440 px and in dark at 360 px', async () => {
    const found: Record<string, string[]> = {}
    for (const state of STATES) {
      const page = await shown(state)
      found[`${state.name}, light`] = await auditOf(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.emulateMedia({ colorScheme: 'dark' })
      // The other rules do not depend on colors.
      found[`${state.name}, dark`] = await auditOf(page, 'color-contrast')
      if (page !== pages.get(state.signed)) await page.context().close()
    }
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).to.deep.equal([])
  }).timeout(900_000)

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
