// VitePress's default theme without its web font, in our colors, with a picture on the first page.

import theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import preview from '../../../images/preview.svg'
import './style.css'

const picture = () =>
  h('div', { class: 'home-picture-frame' }, [
    h('div', { class: 'home-picture' }, [
      h('img', { src: preview, alt: 'A preview lists who would move under another rule; it is applied, undone, and verified.' }),
    ]),
  ])

export default { extends: theme, Layout: () => h(theme.Layout, null, { 'home-hero-after': picture }) }
