// The overview of a game in Chromium: its charts by keyboard and as tables, and what it shows after actions.

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { Overview } from '../../clients/javascript/admin.ts'
import { type ConsoleWorld, goTo, openConsole } from './console-world.ts'

describe('console: the overview of a game', () => {
  let world: ConsoleWorld
  let page: Page
  let overview: Overview

  before(async () => {
    world = await openConsole()
    page = await world.signedIn(world.gameKey)
    overview = await world.get<Overview>(`/api/gm/${world.game}/overview/`)
  })
  after(() => world?.close())

  const whole = (value: number) => value.toLocaleString('en-US')
  const chart = (name: string) => page.getByRole('slider', { name: new RegExp(`^${name}\\.`) })

  it('is the start page of the game', async () => {
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal('/console/')
    await page.getByText('Running', { exact: true }).waitFor()
  })

  it('shows the count of each bar by keyboard', async () => {
    const days = chart('Submissions a day')
    await days.focus()
    await days.press('End')
    const shown = await days.getAttribute('aria-valuetext')
    expect(shown).to.match(new RegExp(`: ${whole(overview.submissions.days.at(-1) ?? 0)} submissions$`))
    await page.locator('figcaption', { hasText: shown ?? '' }).waitFor()
    await days.press('ArrowLeft')
    expect(await days.getAttribute('aria-valuenow')).to.equal('28')
    await days.press('Home')
    await days.press('ArrowLeft')
    expect(await days.getAttribute('aria-valuenow')).to.equal('0')
  })

  it('shows the counts as tables, also after a reload and with Back', async () => {
    await page.getByRole('button', { name: 'Show as tables' }).click()
    const rows = page.getByRole('region', { name: 'Table: The last 30 days, in UTC' }).locator('tbody tr')
    const counts = (await rows.locator('td').allTextContents()).map((text) => Number(text.replaceAll(',', '')))
    const { submissions, players } = overview
    const expected = submissions.days.flatMap((count, day) => [[count, players.days[day]]]).toReversed()
    expect(counts).to.deep.equal(expected.flat())
    await page.reload()
    await rows.first().waitFor()
    await page.goBack()
    await chart('Submissions an hour').waitFor()
  })

  it('lists first places, and who did what, and shows an action of another page when it is opened again', async () => {
    const firsts = page.getByRole('list', { name: 'First places' }).locator('li > a')
    expect(await firsts.allTextContents()).to.deep.equal(overview.firsts.map((one) => one.player_name))
    const [first] = overview.firsts
    const opened = await page
      .getByRole('list', { name: 'First places' })
      .locator('li span a')
      .first()
      .getAttribute('href')
    expect(opened).to.equal(`/console/leaderboards/${first?.leaderboard}?row=${first?.id}`)
    await firsts.first().click()
    await page.getByRole('button', { name: 'Ban player' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ban player' }).click()
    await page.getByRole('button', { name: 'Unban player' }).waitFor()
    await goTo(page, 'Overview')
    await page.locator('.did li', { hasText: `banned: ${first?.player_name}` }).waitFor()
    const path = `/api/gm/${world.game}/overview/`
    const banned = (await world.get<Overview>(path)).firsts.map((one) => one.player)
    expect(banned).not.to.include(first?.player)
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
