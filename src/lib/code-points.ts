/** How many code points it has; two surrogates are one, and nearly always there are none. */
export function codePointsIn(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

/** Its first code points, and an ellipsis for the others. */
export function startOf(text: string, most: number): string {
  return `${[...text].slice(0, most).join('')}…`
}
