/**
 * Says in the page's place that the browser is too old for it. Runs in browsers that the page's own scripts do not run in: ES5. Where they
 * run, `main.ts` asks the same and starts nothing.
 */
function isTooOld() {
  // Chrome 111, Firefox 115, Safari 16.4: the first that have all of these.
  return !(
    "toSorted" in Array.prototype &&
    typeof CompressionStream === "function" &&
    typeof CSS === "object" &&
    CSS.supports("color", "color-mix(in srgb, red, blue)")
  );
}

function sayTooOld(words) {
  if (words === null) return;
  words.id = "";
  words.previousElementSibling.textContent = "";
  words.setAttribute("role", "alert");
  words.textContent =
    "This browser is too old for Oriscope. It needs Chrome or Edge 111, Firefox 115, Safari 16.4, or a later one. Your work is kept in this browser.";
}

if (isTooOld()) sayTooOld(document.getElementById("late"));
