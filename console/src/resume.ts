// What the address or the tab brings along: the code of a sign-in link, or a key that was kept.

import { problemText } from './problem-text.ts'
import { signInAgain, signInNotice, signInWithCode } from './session.ts'
import { texts } from './texts.ts'

/** Resolves when somebody is signed in, or has to sign in. */
export async function resume(): Promise<void> {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1]
  try {
    if (code === undefined) {
      await signInAgain()
      return
    }
    // A used code is worth nothing, but it does not belong into the history of the browser.
    history.replaceState(null, '', location.pathname + location.search)
    await signInWithCode(decodeURIComponent(code))
  } catch (error) {
    const title = code === undefined ? texts.signIn.keptFailed : texts.signIn.linkFailed
    signInNotice.value = { title, text: problemText(error) }
  }
}
