const IP_ADDRESS = /^[\d.]+$|^\[/

/** Browsers allow passkeys only with https or on the own machine, and at a name. */
export const passkeysWork = () =>
  isSecureContext && 'PublicKeyCredential' in window && !IP_ADDRESS.test(location.hostname)
