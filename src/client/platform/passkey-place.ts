const IP_ADDRESS = /^[\d.]+$|^\[/

/** Browsers allow passkeys only over https or on localhost, and not at an IP address. */
export const passkeysWork = () =>
  isSecureContext && 'PublicKeyCredential' in window && !IP_ADDRESS.test(location.hostname)
