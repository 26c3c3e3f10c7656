import type english from '../en/message.ts'

export default {
  'message.locale': 'de-DE',
  'message.simulated': 'SIMULIERT: Spielgeld, keine echte Position',
  'time.ago': 'vor {age}',
  'time.just-now': 'gerade eben',
  'age.live': 'live',
  'age.old': '{age} alt',
  'message.more': 'und {more} weitere',
  'figure.far': 'weit weg',
} satisfies Record<keyof typeof english, string>
