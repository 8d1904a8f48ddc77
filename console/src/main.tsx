// Starts the console: styles, links inside it, and who is signed in.

import './style/tokens.css'
import './style/base.css'
import './style/controls.css'
import './style/layout.css'
import './style/blocks.css'
import './style/pages.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { currentRoute, followLinks } from './navigation.ts'
import { resume } from './resume.ts'
import { preload } from './routed-page.tsx'

followLinks()
preload(currentRoute())
const place = document.querySelector('#app')
if (place !== null) render(<App resuming={resume()} />, place)
