// A person who has a keyboard only: reaches controls with Tab, and never with the pointer or by script.

import type { Locator, Page } from 'playwright-core'

/** A page has fewer controls between any two. */
const TABS_MAX = 250

export interface Keyboard {
  /** Presses Tab until the control has the focus. */
  reach(control: Locator): Promise<void>
  /** Reaches a button or link of this name, and presses Enter. */
  press(name: string | RegExp, within?: Locator): Promise<void>
  /** Reaches a field, replaces its text, and stays in it. */
  fill(label: string, text: string, within?: Locator): Promise<void>
  /** Reaches a list of options, and chooses one by typing its beginning. */
  choose(label: string, option: string, within?: Locator): Promise<void>
  /** Presses a key on what has the focus. */
  key(name: string): Promise<void>
  /** The open dialog. */
  readonly dialog: Locator
}

export function keyboardOf(page: Page): Keyboard {
  async function reach(control: Locator): Promise<void> {
    await control.first().waitFor()
    for (let tabs = 0; tabs < TABS_MAX; tabs++) {
      if (await control.first().evaluate((element) => element === element.ownerDocument.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${String(control)}`)
  }
  const named = (name: string | RegExp, within: Locator | Page) => {
    const options = typeof name === 'string' ? { name, exact: true } : { name }
    return within.getByRole('button', options).or(within.getByRole('link', options))
  }
  return {
    reach,
    dialog: page.getByRole('dialog'),
    async press(name, within) {
      await reach(named(name, within ?? page))
      await page.keyboard.press('Enter')
    },
    async fill(label, text, within) {
      await reach((within ?? page).getByLabel(label, { exact: true }))
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.press('Delete')
      await page.keyboard.type(text)
    },
    async choose(label, option, within) {
      await reach((within ?? page).getByLabel(label, { exact: true }))
      await page.keyboard.type(option)
    },
    key: (name) => page.keyboard.press(name),
  }
}
