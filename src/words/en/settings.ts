export default {
  'settings.language.summary': 'Choose the language',
  'settings.language.asks': 'English or Deutsch; auto follows your chat app',
  'settings.language.set': 'I speak English with you now.',
  'settings.language.auto': 'I speak the language of your chat app: English.',
  'settings.detail.summary': 'Choose how long alerts are',
  'settings.detail.asks': 'short, or full with every figure',
  'settings.detail.short': 'Alerts are short now. Details are behind their buttons.',
  'settings.detail.full': 'Alerts show every figure now.',
} as const
