// Runs before the first paint, so that a chosen theme does not flash. Without a choice the system decides.
(function () {
  try {
    var theme = localStorage.getItem('orchestrion.theme');
    if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = JSON.parse(theme);
  } catch (e) {
    // A browser that stores nothing follows the system.
  }
})();
