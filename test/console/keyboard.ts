// A page of the console, used by keyboard alone.

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
  /** Types a text into what has the focus. */
  type(text: string): Promise<void>
  /** Keys pressed so far, those of texts included. */
  pressed(): number
  /** The open dialog. */
  readonly dialog: Locator
}

/** A button or a link. */
export function named(name: string | RegExp, within: Locator | Page): Locator {
  const options = typeof name === 'string' ? { name, exact: true } : { name }
  return within.getByRole('button', options).or(within.getByRole('link', options))
}

export function keyboardOf(page: Page): Keyboard {
  let pressed = 0
  async function key(name: string): Promise<void> {
    pressed++
    await page.keyboard.press(name)
  }
  async function type(text: string): Promise<void> {
    pressed += text.length
    await page.keyboard.type(text)
  }
  async function reach(control: Locator): Promise<void> {
    await control.first().waitFor()
    for (let tabs = 0; tabs < TABS_MAX; tabs++) {
      if (await control.first().evaluate((element) => element === element.ownerDocument.activeElement)) return
      await key('Tab')
    }
    throw new Error(`Tab does not reach ${String(control)}`)
  }
  return {
    reach,
    key,
    type,
    pressed: () => pressed,
    dialog: page.getByRole('dialog'),
    async press(name, within) {
      await reach(named(name, within ?? page))
      await key('Enter')
    },
    async fill(label, text, within) {
      await reach((within ?? page).getByLabel(label, { exact: true }))
      await key('ControlOrMeta+A')
      await key('Delete')
      await type(text)
    },
    async choose(label, option, within) {
      await reach((within ?? page).getByLabel(label, { exact: true }))
      await type(option)
    },
  }
}
