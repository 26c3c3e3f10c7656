// Figures as people type them. Null means "this is not one": the caller has the sentence.

/** `5%`, `5`, `2.5 %`, `,5%` are fractions of one: 0.05, 0.05, 0.025, 0.005. */
export function parsePercent(text: string): number | null {
  const match = /^([+-]?\d*[.,]?\d+|\d+[.,])\s*%?$/.exec(text.trim())
  if (!match?.[1]) return null
  // Through the decimal text, so that 2.5 is 0.025 and not its neighbour.
  const value = Number(`${match[1].replace(',', '.')}e-2`)
  return Number.isFinite(value) ? value : null
}
