// The longest totals that a leaderboard can have, in every table that shows scores: no digit is cut or covered.

import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import type { Leaderboard } from '../../clients/javascript/score-shapes.ts'
import { localDecimal } from '../../console/src/decimals.ts'
import { eventually } from '../until.ts'
import { type ConsoleWorld, openConsole } from './console-world.ts'
import { totalsBoard } from './totals-board.ts'

/** A sign, 36 digits, a point and 18 digits. */
const LONGEST = `-${'123456789012'.repeat(3)}.${'123456789'.repeat(2)}`

/** A sign, 30 digits, a point and 18 digits. */
const LONGEST_SUBMITTED = `-${'1234567890'.repeat(3)}.${'123456789'.repeat(2)}`

interface Shown {
  score: string
  secondary_score?: string | null
}

async function lengthen(route: Route): Promise<void> {
  const answer = await route.fetch()
  const json = (await answer.json()) as { scores?: Shown[]; entries?: Shown[]; points?: Shown[] }
  for (const one of [...(json.scores ?? []), ...(json.entries ?? [])]) {
    one.score = LONGEST
    one.secondary_score = LONGEST
  }
  for (const point of json.points ?? []) point.score = LONGEST
  await route.fulfill({ response: answer, json })
}

/**
 * The places of the digits of each number that are not visible: outside the window or their table, or below something
 * else. Each number is scrolled up or down into view first, never sideways.
 */
const hiddenDigits = (number: string) => `(() => {
  const hidden = []
  let seen = 0
  const texts = []
  const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (all.nextNode()) if (all.currentNode.data === ${JSON.stringify(localDecimal(number, 'en-US'))}) texts.push(all.currentNode)
  for (const text of texts) {
    const element = text.parentElement
    const region = element.closest('section.scroll, aside, dialog')
    if (region === null || (element.closest('dialog') === null && document.querySelector('dialog') !== null)) continue
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    if (region.scrollLeft !== 0 || region.scrollWidth > region.clientWidth) hidden.push('scrolls sideways')
    seen++
    for (let at = 0; at < text.length; at++) {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      const { left, right, top, bottom } = range.getBoundingClientRect()
      const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      if (found === null || !element.contains(found)) hidden.push(text.data[at] + ' at ' + at + ': ' + found?.outerHTML.slice(0, 60))
    }
  }
  return { seen, hidden: hidden.slice(0, 5) }
})()`

/** Rows of the leaderboard that are not as high as those that are scrolled over. */
const UNEVEN = `(() => {
  const region = document.querySelector('section[aria-label="Scores"]')
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const height = Number.parseFloat(region.style.getPropertyValue('--row-height')) * rem
  const rows = [...region.querySelectorAll('tbody tr:not(.space)')]
  return rows.map((row) => row.offsetHeight).filter((own) => Math.abs(own - height) > 1)
})()`

const WINDOWS = [
  { width: 360, height: 740 },
  { width: 768, height: 1_024 },
  { width: 1_440, height: 900 },
]

describe('console: numbers of 56 characters', () => {
  let world: ConsoleWorld
  let page: Page
  let board: string
  let player: string

  before(async () => {
    world = await openConsole()
    const coins = await totalsBoard(world)
    board = `${world.url}/console/leaderboards/${coins.board.id}`
    player = `${world.url}/console/players/${coins.first.id}`
    page = await world.signedIn(world.gameKey)
    await page.route(/\/(score|entries|history)\/\?/, lengthen)
  })
  after(() => world?.close())

  async function hiddenAt(size: (typeof WINDOWS)[number], atLeast: number, number = LONGEST): Promise<void> {
    await page.setViewportSize(size)
    // Rows get their layout in the frame after that of the new width.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    let found: { seen: number; hidden: string[] } = { seen: 0, hidden: [] }
    await eventually(async () => {
      found = await page.evaluate(hiddenDigits(number))
      return found.seen >= atLeast
    })
    expect(found.hidden, `${size.width} px`).to.deep.equal([])
  }

  it('has 56 characters in the longest one', () => {
    expect(LONGEST.length).to.equal(56)
  })

  it('shows them whole in the table of a leaderboard, now and in the past', async () => {
    await page.goto(board)
    await page.getByRole('slider').waitFor()
    for (const size of WINDOWS) {
      await hiddenAt(size, 4)
      await eventually(async () => (await page.evaluate<number[]>(UNEVEN)).length === 0)
    }
    await page.getByRole('slider').fill('999')
    await page.locator('section.past-table[aria-busy="false"]').waitFor()
    for (const size of WINDOWS) await hiddenAt(size, 2)
  })

  it('shows them whole among the entries of a player', async () => {
    await page.goto(player)
    for (const size of WINDOWS) await hiddenAt(size, 2)
  })

  it('shows them whole in the panel of a row, and in its table of a rank over time', async () => {
    await page.goto(board)
    await page.locator('section[aria-label="Scores"] tbody tr:not(.space) a').first().click()
    for (const size of WINDOWS.toReversed()) {
      await page.setViewportSize(size)
      // The sheet of narrow windows is another element than the panel, and stays between two narrow ones.
      if ((await page.locator('details[open]', { hasText: 'As a table' }).count()) === 0)
        await page.getByText('As a table').click()
      await hiddenAt(size, 3)
    }
    await page.keyboard.press('Escape')
  })

  it('shows the longest score whole in a sentence of the history', async () => {
    const settings = { name: 'Any score', ordering: 'desc' }
    const any = await world.send<Leaderboard>('POST', `/api/gm/${world.game}/lb/`, settings)
    const players = await Promise.all(
      ['W'.repeat(64), 'M'.repeat(64)].map((name) =>
        world.send<{ id: string }>('POST', `/api/gm/${world.game}/players/`, { name }),
      ),
    )
    for (const { id } of players)
      await world.send('POST', `/api/lb/${any.id}/score/`, { player: id, score: LONGEST_SUBMITTED })
    await page.goto(`${world.url}/console/history`)
    for (const size of WINDOWS) await hiddenAt(size, 2, LONGEST_SUBMITTED)
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
