export default {
  // The locale that writes a day and a time, by BCP 47.
  'message.locale': 'en-GB',
  // The last line of each message where readers could take play money for real money.
  'message.simulated': 'SIMULATED: play money, no real position',
  'time.ago': '{age} ago',
  'time.just-now': 'just now',
  'age.live': 'live',
  'age.old': '{age} old',
  'message.more': 'and {more} more',
  'figure.far': 'far',
} as const
