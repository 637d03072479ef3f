/** Whether a page of another origin shows this one in a frame. Such a page can put its own content over this one, so that users click on what they do not see. */
export function isFramedElsewhere(): boolean {
  if (window.top === window.self) return false;
  try {
    return window.top?.location.origin !== window.location.origin;
  } catch {
    return true;
  }
}
