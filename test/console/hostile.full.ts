// Texts of others in the console: markup, reordering and invisible characters and 10,000 characters in every text that
// a server may answer. They run nothing, load nothing, and stay inside their place at 360 px.

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type ConsoleWorld, chooseInRow, goTo, openConsole, signIn } from './console-world.ts'

/** `\u202e` turns the direction, `\u2066` isolates, `\u200b` and `\u200d` show nothing. */
const HOSTILE = `<img src=x onerror=alert(1)><script>alert(2)</script>"'\`{7}\u202e\u2066\u200b\u200d\u0007&lt;`
const LONG = HOSTILE + 'W'.repeat(10_000 - HOSTILE.length)

/** Fields of answers with a text that somebody wrote. */
const WRITTEN = new Set([
  ...['name', 'player_name', 'leaderboard_name', 'description', 'reason', 'external_id', 'content_type', 'detail'],
  ...['extra_data', 'actor', 'type', 'text'],
])

function spoiled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoiled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [
      name,
      WRITTEN.has(name) && (typeof own === 'string' || own === null) ? LONG : spoiled(own),
    ]),
  )
}

/** Boxes that leave what should contain them: their cell, or the part of the page that scrolls. */
const ESCAPED = `(() => {
  const holder = (element) => element.closest('td, th, dd, li, .state, .message, dialog, h1, .panel') ?? document.body
  return [...document.querySelectorAll('bdi, .cut, .wrap, pre, .mono, dd')].flatMap((element) => {
    const [own, around] = [element.getBoundingClientRect(), holder(element).getBoundingClientRect()]
    const isInside = own.left >= around.left - 1 && own.right <= around.right + 1
    return own.width === 0 || isInside ? [] : [element.outerHTML.slice(0, 80)]
  })
})()`

describe('console: pages that show texts of others', () => {
  let world: ConsoleWorld
  let page: Page

  before(async () => {
    world = await openConsole()
    page = await world.open({ width: 360, height: 740 })
    page.on('dialog', (dialog) => world.faults.push(`dialog: ${dialog.message()}`))
    await signIn(page, world.gameKey)
    await page.route(/\/api\/(gm|lb|bkt|score)\//, async (route) => {
      // Its answer does not end.
      if (route.request().url().includes('follow=')) return route.fallback()
      const answer = await route.fetch()
      const text = await answer.text()
      const lines = text.trim().split('\n')
      const body = lines.map((line) => (line === '' ? '' : JSON.stringify(spoiled(JSON.parse(line))))).join('\n')
      await route.fulfill({ response: answer, body: `${body}\n` })
    })
  })
  after(() => world?.close())

  async function isContained(place: string): Promise<void> {
    const bodies = 'document.querySelectorAll("#app img:not([src^=\\"/console/\\"]), #app script").length'
    expect(await page.evaluate(bodies), place).to.equal(0)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), place).to.be.at.most(0)
    expect(await page.evaluate(ESCAPED), place).to.deep.equal([])
  }
  const shown = () => page.getByText('<img src=x onerror=alert(1)>').filter({ visible: true }).first().waitFor()

  for (const name of ['Leaderboards', 'Players', 'Files', 'Keys', 'Rooms', 'History', 'Overview']) {
    it(`stay in their place on the page ${name}`, async () => {
      await goTo(page, name)
      await shown()
      await isContained(name)
    })
  }

  it('stay in their place on a leaderboard, and in what explains a score', async () => {
    await page.goto(`${world.url}/console/leaderboards`)
    await page.locator('tbody a').first().click()
    const row = page.locator('section[aria-label="Scores"] tbody tr:not(.space)').first()
    await row.waitFor()
    await shown()
    await isContained('leaderboard')
    await chooseInRow(row, 'Why')
    // A sheet on a page this narrow.
    const panel = page.getByRole('dialog')
    await panel.locator('summary').first().click()
    await panel.locator('pre').first().waitFor()
    await isContained('why')
    // What could reorder the text around it is written as an escape.
    expect(await panel.locator('pre').first().textContent()).to.match(/\\u202e\\u2066\\u200b/)
    await page.keyboard.press('Escape')
    await chooseInRow(row, 'Delete score')
    await page.getByRole('dialog').waitFor()
    await isContained('delete score')
    await page.keyboard.press('Escape')
  })

  it('stay in their place on a player, and in the question whether to delete them', async () => {
    const { players } = await world.get<{ players: { id: string }[] }>(`/api/gm/${world.game}/players/?limit=1`)
    await page.goto(`${world.url}/console/players/${players[0]?.id}`)
    await page.getByRole('heading', { level: 2, name: 'Sessions' }).waitFor()
    await page.locator('tbody tr').first().waitFor()
    await isContained('player')
    await page.getByRole('button', { name: 'Delete player' }).click()
    await page.getByRole('dialog').waitFor()
    await isContained('delete player')
    await page.keyboard.press('Escape')
  })

  it('stay in their place in problems', async () => {
    await page.route(/\/players\/\?/, (route) => {
      const problem = { status: 500, code: 'internal', title: LONG, detail: LONG }
      return route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) })
    })
    await goTo(page, 'Players')
    await page.getByRole('heading', { name: 'This could not be read' }).waitFor()
    await isContained('problem')
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults.filter((fault) => !fault.includes('500 (Internal Server Error)'))).to.deep.equal([])
  })
})
