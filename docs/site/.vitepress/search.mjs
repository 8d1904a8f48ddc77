// What the search of the site finds, and in which order.

/** What it indexes of a page: nothing of the archive of decisions. */
export function searchText(source, env, md) {
  const html = md.render(source, env)
  return env.relativePath.startsWith('decisions/archive/') ? '' : html
}

/**
 * The weight of a page among those that match, by its address. Tasks come before reasons: decisions, the changelog and other pages
 * of the project are last. VitePress sends the text of this function to browsers, so it uses nothing from outside of it.
 */
export function boostDocument(address) {
  return /\/(?:decisions|project)\//.test(address) ? 0.02 : 1
}
