// Starts the console: styles, links inside it, and who is signed in.

import './style/main.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { currentRoute, followLinks } from './navigation.ts'
import { copyPlainNumbers } from './plain-copies.ts'
import { problemText } from './problem-text.ts'
import { preload } from './routed-page.tsx'
import { joinTabs, shareSession, signInAgain, signInNotice, signInWithCode } from './session.ts'
import { texts } from './texts.ts'

followLinks()
copyPlainNumbers()
shareSession()
preload(currentRoute())
const place = document.querySelector('#app')
if (place !== null) render(<App resuming={resume()} />, place)

/**
 * Signs in with what the address, the tab or another tab brings along: the code of a sign-in link, a key that was kept,
 * or a token. Resolves when somebody is signed in, or has to sign in.
 */
async function resume(): Promise<void> {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1]
  try {
    if (code === undefined) {
      if (!(await signInAgain())) await joinTabs()
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
