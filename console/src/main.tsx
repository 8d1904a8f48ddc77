// Starts the console: styles, links inside it, and who is signed in.

import './style/tokens.css'
import './style/base.css'
import './style/controls.css'
import './style/layout.css'
import './style/blocks.css'
import './style/rows.css'
import './style/pages.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { currentRoute, followLinks } from './navigation.ts'
import { problemText } from './problem-text.ts'
import { preload } from './routed-page.tsx'
import { signInAgain, signInNotice, signInWithCode } from './session.ts'
import { texts } from './texts.ts'

followLinks()
preload(currentRoute())
const place = document.querySelector('#app')
if (place !== null) render(<App resuming={resume()} />, place)

/**
 * Signs in with what the address or the tab brings along: the code of a sign-in link, or a key that was kept. Resolves
 * when somebody is signed in, or has to sign in.
 */
async function resume(): Promise<void> {
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
