// The devices by which the jobs of the console are done: a mouse, or a keyboard alone. Each counts its use.

import type { Locator, Page } from 'playwright-core'
import { keyboardOf, named } from './keyboard.ts'

export interface Device {
  readonly by: 'mouse' | 'keyboard'
  /**
   * Of a mouse its clicks: a list of options takes two, a field one, whatever is typed into it. Of a keyboard all keys,
   * those of texts included.
   */
  count(): number
  /** Goes to what the navigation or the search finds by its name. */
  find(name: string, kind: 'page' | 'board'): Promise<void>
  /** Activates a button or a link. */
  press(name: string | RegExp, within?: Locator): Promise<void>
  /** Fills in the field of a dialog, and confirms the dialog. */
  fillAndConfirm(label: string, text: string, verb: string): Promise<void>
  /** Chooses an option of a list. */
  choose(label: string, option: string): Promise<void>
  /** Fills in a date and time; `local`: as `2026-11-24T14:00:00`. */
  fillTime(label: string, local: string): Promise<void>
  /** Chooses another radio button of a row: the one right of the chosen one. */
  chooseNext(row: Locator): Promise<void>
}

export function mouseDevice(page: Page): Device {
  let clicks = 0
  const click = async (control: Locator) => {
    clicks++
    await control.first().click()
  }
  const press = (name: string | RegExp, within?: Locator) => click(named(name, within ?? page))
  const fill = async (label: string, text: string, within?: Locator) => {
    const field = (within ?? page).getByLabel(label, { exact: true })
    await click(field)
    await field.fill(text)
  }
  return {
    by: 'mouse',
    count: () => clicks,
    async find(name, kind) {
      const navigation = page.getByRole('navigation', { name: 'Pages', exact: true })
      await press(kind === 'board' ? 'Leaderboards' : name, navigation)
      if (kind === 'board') await press(name)
    },
    press,
    async fillAndConfirm(label, text, verb) {
      const dialog = page.getByRole('dialog')
      await fill(label, text, dialog)
      await press(verb, dialog)
    },
    async choose(label, option) {
      clicks += 2
      await page.getByLabel(label, { exact: true }).selectOption({ label: option })
    },
    fillTime: fill,
    chooseNext: (row) => click(row.locator('td:has(input:checked) + td input')),
  }
}

/** What the search calls them. */
const KINDS = { page: 'Page', board: 'Leaderboard' } as const

/** It types as few letters as choose what it finds, and confirms a dialog in its field. */
export function keyboardDevice(page: Page): Device {
  const keys = keyboardOf(page)
  return {
    by: 'keyboard',
    count: keys.pressed,
    async find(name, kind) {
      await keys.key('/')
      const option = keys.dialog.getByRole('option', { name: new RegExp(`^${KINDS[kind]} ${name}\\b`) })
      await option.waitFor()
      for (const letter of name) {
        await keys.type(letter)
        await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')
        if ((await option.getAttribute('aria-selected')) === 'true') break
      }
      await keys.key('Enter')
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    },
    press: keys.press,
    async fillAndConfirm(label, text) {
      await keys.fill(label, text, keys.dialog)
      await keys.key('Enter')
    },
    choose: keys.choose,
    async fillTime(label, local) {
      const [year, month, day, hour, minute, second] = local.split(/\D/) as [
        string,
        string,
        string,
        string,
        string,
        string,
      ]
      await keys.reach(page.getByLabel(label, { exact: true }))
      // As the field of Chromium takes it in English: the year may have six digits, so that a key ends it.
      await keys.type(month + day + year)
      await keys.key('ArrowRight')
      await keys.type(
        String(Number(hour) % 12 || 12).padStart(2, '0') + minute + second + (Number(hour) < 12 ? 'A' : 'P'),
      )
    },
    async chooseNext(row) {
      await keys.reach(row.locator('input:checked'))
      await keys.key('ArrowRight')
    },
  }
}
