import type { Page } from 'playwright-core'

// These run in the page, as text: the types of browsers and those of Node exclude each other.

/** Controls that are smaller than a thumb, by their words. */
export function smallControls(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('button, a, input, select')]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ words: one.textContent.trim() || one.id, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 44)
      .map(({ words, box }) => words + ' ' + Math.round(box.width) + ' x ' + Math.round(box.height))
  `)
}

/** Controls that a screen reader would call nothing. */
export function namelessControls(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('button, a, input, select, [role=img]')]
      .filter((one) => !(
        one.getAttribute('aria-label')?.trim() ||
        one.textContent.trim() ||
        (one.labels && [...one.labels].some((label) => label.textContent.trim()))
      ))
      .map((one) => one.outerHTML)
  `)
}

/** Words whose contrast to what lies behind them is below 4.5 (WCAG 2.2, 1.4.3). Charts have tests of their own. */
export function paleWords(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const parsed = (colour) => {
      const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number)
      return { r, g, b, a }
    }
    const over = (top, under) => ({
      r: top.r * top.a + under.r * (1 - top.a),
      g: top.g * top.a + under.g * (1 - top.a),
      b: top.b * top.a + under.b * (1 - top.a),
      a: 1,
    })
    const ground = (one) => {
      const above = one.parentElement ? ground(one.parentElement) : { r: 255, g: 255, b: 255, a: 1 }
      return over(parsed(getComputedStyle(one).backgroundColor), above)
    }
    const light = ({ r, g, b }) =>
      [r, g, b]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0)
    const faint = (one) => {
      const style = getComputedStyle(one)
      const opacity = one.closest('.asking') ? 0.85 : 1
      const under = ground(one)
      const text = over({ ...parsed(style.color), a: parsed(style.color).a * opacity }, under)
      const [high, low] = [light(text), light(under)].sort((a, b) => b - a)
      return (high + 0.05) / (low + 0.05)
    }
    return [...document.body.querySelectorAll('*')]
      .filter((one) => !one.closest('svg') && !one.closest('.unseen') && one.checkVisibility())
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
      .filter((one) => faint(one) < 4.5)
      .map((one) => one.textContent.trim() + ' ' + faint(one).toFixed(2))
  })()`)
}

/** Begins to count shifts of the layout that nobody has caused by a tap. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.shifts = 0
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) globalThis.shifts += value
    }).observe({ type: 'layout-shift' })
  `)
  return () => page.evaluate('globalThis.shifts')
}

/** Whether something is wider than the screen. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
}
