// The API reference in Chromium: it is readable at 360 and 1440 pixels, light and dark, with nothing refused by its
// policy and no request to another origin.

import { expect } from 'chai'
import { type Browser, chromium } from 'playwright-core'
import { chromiumHere } from '../browser/chromium.ts'
import { openWorld, type World } from '../front-door/world.ts'

describe('the API reference in Chromium', function () {
  this.timeout(120_000)
  let world: World
  let browser: Browser
  before(async () => {
    world = await openWorld()
    const executablePath = chromiumHere() ?? expect.fail('there is no chromium here: apt-get install chromium')
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  after(async () => {
    await browser.close()
    await world.close()
  })

  for (const width of [360, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`fits ${width} pixels, ${colorScheme}, without a message, a refused style or another origin`, async () => {
        const found: string[] = []
        const origin = `http://127.0.0.1:${world.port}`
        for (const path of [
          '/docs/',
          '/docs/api/#submitScore',
          '/docs/api/rooms/',
          '/docs/api/events/#ScoreSubmitted',
        ]) {
          const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
          page.on('console', (message) => found.push(`${path}: ${message.text()}`))
          page.on('request', (request) => {
            if (new URL(request.url()).origin !== origin) found.push(`${path}: ${request.url()}`)
          })
          await page.goto(origin + path)
          const shown = await page.evaluate(
            '({ width: document.documentElement.scrollWidth, paper: getComputedStyle(document.body).backgroundColor })',
          )
          const paper = colorScheme === 'light' ? 'rgb(251, 251, 249)' : 'rgb(20, 24, 30)'
          expect(shown, path).to.deep.equal({ width, paper })
          await page.close()
        }
        expect(found).to.deep.equal([])
      })
    }
  }
})
