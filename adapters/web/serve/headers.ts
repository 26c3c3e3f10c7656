/** Where the page may be shown inside another site. */
export interface Frames {
  telegram: boolean
  discord: boolean
}

/** Telegram's clients in a browser, which show Mini Apps in frames. */
const TELEGRAM = 'https://web.telegram.org https://weba.telegram.org https://webk.telegram.org'
/** https://docs.discord.com/developers/activities: an Activity runs in a frame of these. */
const DISCORD = 'https://discord.com https://*.discordsays.com'

const OFF = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'midi']

/** Headers of every answer of the page. Scripts, styles and requests are its own, and nothing is inline. */
export function securityHeaders({ telegram, discord }: Frames, isEncrypted: boolean): Record<string, string> {
  const frames = ["'self'", ...(telegram ? [TELEGRAM] : []), ...(discord ? [DISCORD] : [])]
  const policy = [
    ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'"],
    ["connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'"],
    ["form-action 'none'", `frame-ancestors ${frames.join(' ')}`],
  ]
  return {
    'content-security-policy': policy.flat().join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': OFF.map((one) => `${one}=()`).join(', '),
    ...(isEncrypted ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
